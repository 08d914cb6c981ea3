/** The roles that train and sample the policy. */
@NullMarked
package roll.worker.actor;

import org.jspecify.annotations.NullMarked;
