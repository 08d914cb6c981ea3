/** The role that plays episodes. */
@NullMarked
package roll.worker.environment;

import org.jspecify.annotations.NullMarked;
