/** Reads training configurations: composition, interpolation, overrides, checks, typed records. */
@NullMarked
package roll.config;

import org.jspecify.annotations.NullMarked;
