-- What the load asks for: pages, one of which is not there, each connection after a pause.
local pages = { "/index.html", "/goods/tea.html", "/goods/bread.html", "/goods/salt.html",
	"/favicon.ico" }
local i = 0

request = function()
	i = i + 1
	return wrk.format("GET", pages[i % #pages + 1])
end

delay = function()
	return math.random(0, 4)
end
