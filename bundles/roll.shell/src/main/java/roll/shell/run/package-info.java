/** Commands that start, monitor and control runs, and that check and plan configurations. */
@NullMarked
package roll.shell.run;

import org.jspecify.annotations.NullMarked;
