/** The command {@code sweep}. */
@NullMarked
package roll.shell.sweep;

import org.jspecify.annotations.NullMarked;
