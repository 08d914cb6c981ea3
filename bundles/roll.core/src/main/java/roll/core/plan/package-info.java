/** What each device will hold in each phase, before anything is loaded. */
@NullMarked
package roll.core.plan;

import org.jspecify.annotations.NullMarked;
