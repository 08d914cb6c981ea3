/** Training runs: started, stepped to the end, stopped. */
@NullMarked
package roll.core.run;

import org.jspecify.annotations.NullMarked;
