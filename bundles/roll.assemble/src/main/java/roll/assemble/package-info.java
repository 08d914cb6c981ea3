/** Assembles distributions with the bundles that a configuration needs, resolved by bnd. */
@NullMarked
package roll.assemble;

import org.jspecify.annotations.NullMarked;
