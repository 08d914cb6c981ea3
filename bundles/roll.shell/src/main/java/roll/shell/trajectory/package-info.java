/** The command {@code trajectory}: what a run wrote of its episodes. */
@NullMarked
package roll.shell.trajectory;

import org.jspecify.annotations.NullMarked;
