/** Runs and the contents of their folders: configuration, log, swaps, phases. */
@NullMarked
package roll.ui.run;

import org.jspecify.annotations.NullMarked;
