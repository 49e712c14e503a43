helhello
	