@NullMarked
package roll.tracking.opentelemetry;

import org.jspecify.annotations.NullMarked;
