/** Memory and communication plans of a run, computed before anything is loaded. */
@NullMarked
package roll.core.plan;

import org.jspecify.annotations.NullMarked;
