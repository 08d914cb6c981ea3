/** Commands that start, watch and steer runs, and that check and plan configurations. */
@NullMarked
package roll.shell.run;

import org.jspecify.annotations.NullMarked;
