/** Runs and what their folders tell of them: configuration, log, swaps, phases, metrics. */
@NullMarked
package roll.ui.run;

import org.jspecify.annotations.NullMarked;
