/** Runs a configuration for every combination of values. */
@NullMarked
package roll.sweep;

import org.jspecify.annotations.NullMarked;
