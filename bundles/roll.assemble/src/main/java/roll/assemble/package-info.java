/** Assembles distributions: what a configuration names, resolved by bnd, and nothing more. */
@NullMarked
package roll.assemble;

import org.jspecify.annotations.NullMarked;
