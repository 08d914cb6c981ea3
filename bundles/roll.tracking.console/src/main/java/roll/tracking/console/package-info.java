/** Tracker console: metrics as a line per step and a progress bar. */
@NullMarked
package roll.tracking.console;

import org.jspecify.annotations.NullMarked;
