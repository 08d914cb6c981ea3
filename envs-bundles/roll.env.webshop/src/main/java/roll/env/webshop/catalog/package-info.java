/** Products, goals, search and rewards of a shop. */
@NullMarked
package roll.env.webshop.catalog;

import org.jspecify.annotations.NullMarked;
