/** Sweeps: runs of a configuration for every combination of some values. */
@NullMarked
package roll.sweep;

import org.jspecify.annotations.NullMarked;
