/** Everything about a configuration that can be found wrong before a run starts. */
@NullMarked
package roll.core.check;

import org.jspecify.annotations.NullMarked;
