/** Tracker opentelemetry: traces of steps and episodes for OpenTelemetry collectors. */
@NullMarked
package roll.tracking.opentelemetry;

import org.jspecify.annotations.NullMarked;
