/** The command that runs a configuration for every combination of some values. */
@NullMarked
package roll.shell.sweep;

import org.jspecify.annotations.NullMarked;
