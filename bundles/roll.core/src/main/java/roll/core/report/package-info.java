/** How a run is going: its thread, progress, phase times, memory, throughput, and its trackers. */
@NullMarked
package roll.core.report;

import org.jspecify.annotations.NullMarked;
