/** Common words that every tokenizer knows; none is made of hex digits only, so that no name can look like a token. */
export const words: readonly string[] = `
river stone maple cedar willow birch aspen alder hazel linden spruce poplar walnut laurel holly juniper
ivy fern moss clover thistle poppy tulip daisy lily rose violet orchid iris lotus jasmine heather
sage basil mint thyme parsley fennel ginger pepper lemon orange cherry peach plum pear apple mango
melon grape olive almond peanut tomato carrot onion garlic turnip radish pumpkin spinach rice wheat barley
rye oat corn bean lentil honey butter sugar salt coffee cocoa tea bread cake soup noodle
falcon eagle hawk raven robin sparrow swallow heron stork crane swan goose duck pigeon parrot owl
finch wren magpie pelican tiger lion panther otter badger beaver rabbit squirrel hedgehog fox wolf bear
moose deer bison horse pony donkey camel llama salmon trout herring tuna shark whale dolphin seal
walrus turtle lizard gecko iguana frog newt spider beetle cricket hornet moth mountain valley canyon meadow
prairie desert island harbor lagoon glacier volcano summit ridge cliff cavern forest jungle orchard garden field
ocean lake pond stream brook creek rapids waterfall spring fountain rain snow hail frost mist fog
cloud storm thunder breeze sunset sunrise morning evening night summer winter autumn comet meteor planet moon
star galaxy orbit rocket lantern candle torch ember copper silver gold iron steel nickel cobalt zinc
bronze marble granite slate quartz amber pearl ruby topaz opal jade crystal hammer anvil chisel saw
ladder bucket shovel basket barrel bottle kettle spoon plate table chair window mirror carpet curtain pillow
violin guitar piano flute trumpet drum whistle organ harp banjo canvas paper pencil marker ribbon button
`
  .trim()
  .split(/\s+/);
