/** WebShop: find the product of an instruction in a shop, choose its options, buy it. */
@NullMarked
package roll.env.webshop;

import org.jspecify.annotations.NullMarked;
