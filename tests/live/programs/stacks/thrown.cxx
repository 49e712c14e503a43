/*
 * thrown - waits in destructors during the unwinding of an exception, in the handler that caught
 * it, and in templates, lambdas and virtual functions of nested namespaces.
 */
#include <functional>
#include <memory>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <vector>
#include <unistd.h>

namespace shop {
namespace {

volatile int sum;

inline void wait_a_little()
{
	sum = sum + poll(nullptr, 0, 1);
}

} // namespace

struct clerk {
	virtual ~clerk() = default;
	virtual void serve(int number) = 0;
};

template <typename Item, int Count> struct shelf {
	std::vector<Item> items;

	__attribute__((noinline)) void take(const Item &item)
	{
		items.push_back(item);
		wait_a_little();
		sum = sum + Count;
	}
};

struct slow_to_leave {
	__attribute__((noinline)) ~slow_to_leave()
	{
		wait_a_little();
		sum = sum + 1;
	}
};

struct careless : clerk {
	shelf<std::string, 3> shelf_;

	__attribute__((noinline)) void serve(int number) override
	{
		slow_to_leave leaving;

		shelf_.take(std::to_string(number));
		if (number % 2)
			throw std::runtime_error("odd");
		sum = sum + number;
	}
};

__attribute__((noinline)) void open(clerk &clerk, int number)
{
	slow_to_leave leaving;
	std::function<void(int)> run = [&](int what) {
		clerk.serve(what);
		sum = sum + 1;
	};

	run(number);
	sum = sum + 1;
}

template <typename Work> __attribute__((noinline)) void attempt(Work &&work)
{
	try {
		work();
		sum = sum + 1;
	} catch (const std::exception &error) {
		wait_a_little();
		sum = sum + error.what()[0];
	}
}

} // namespace shop

int main()
{
	std::unique_ptr<shop::clerk> clerk(new shop::careless);

	for (int i = 0; i < 20; i++)
		shop::attempt([&, i] { shop::open(*clerk, i); });
	_exit(0);
}
