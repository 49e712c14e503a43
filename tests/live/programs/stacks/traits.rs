// Waits in closures, generic functions, trait objects and drops during a caught panic.
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::thread::sleep;
use std::time::Duration;

trait Clerk {
    fn serve(&mut self, number: u64) -> u64;
}

struct Counter<T> {
    items: Vec<T>,
}

struct SlowToLeave;

#[inline(always)]
fn wait_a_little(number: u64) -> u64 {
    sleep(Duration::from_micros(100 + number));
    number + 1
}

impl Drop for SlowToLeave {
    #[inline(never)]
    fn drop(&mut self) {
        wait_a_little(1);
    }
}

impl<T: From<u64> + Clone> Clerk for Counter<T> {
    #[inline(never)]
    fn serve(&mut self, number: u64) -> u64 {
        let _leaving = SlowToLeave;
        self.items.push(T::from(number));
        if number % 3 == 2 {
            panic!("no {}", number);
        }
        (0..2).map(|i| wait_a_little(number + i)).sum::<u64>() + self.items.len() as u64
    }
}

mod shop {
    #[inline(never)]
    pub fn open<F: FnMut(u64) -> u64>(mut work: F, number: u64) -> u64 {
        work(number) + 1
    }
}

fn main() {
    let mut clerk: Box<dyn Clerk> = Box::new(Counter::<u64> { items: Vec::new() });
    let mut sum = 0;

    set_hook(Box::new(|_| {}));
    for number in 0..30 {
        let result = catch_unwind(AssertUnwindSafe(|| shop::open(|n| clerk.serve(n), number)));
        sum += result.unwrap_or(0);
    }
    std::process::exit((sum == 0) as i32);
}
