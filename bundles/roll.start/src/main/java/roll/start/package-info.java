/** The main class of a distribution: it unpacks the bundles once and starts bnd's launcher. */
@NullMarked
package roll.start;

import org.jspecify.annotations.NullMarked;
