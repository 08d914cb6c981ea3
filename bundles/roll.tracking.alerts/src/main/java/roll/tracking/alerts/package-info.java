/** Tracker alerts: commands and web hooks when a metric crosses a bound or a run ends. */
@NullMarked
package roll.tracking.alerts;

import org.jspecify.annotations.NullMarked;
