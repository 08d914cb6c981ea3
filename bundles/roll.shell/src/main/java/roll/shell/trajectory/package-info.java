/** The command {@code trajectory}: shows the episodes of a run. */
@NullMarked
package roll.shell.trajectory;

import org.jspecify.annotations.NullMarked;
