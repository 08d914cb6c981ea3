/** WebShop: find what is asked for in a shop, choose its options, buy it. */
@NullMarked
package roll.env.webshop;

import org.jspecify.annotations.NullMarked;
