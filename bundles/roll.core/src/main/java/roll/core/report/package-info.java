/** Progress of a run: its thread, status, phase times, memory, throughput, and trackers. */
@NullMarked
package roll.core.report;

import org.jspecify.annotations.NullMarked;
