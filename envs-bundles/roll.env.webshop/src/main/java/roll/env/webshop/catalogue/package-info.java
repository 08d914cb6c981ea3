/** Products, goals, search and rewards of a shop. */
@NullMarked
package roll.env.webshop.catalogue;

import org.jspecify.annotations.NullMarked;
