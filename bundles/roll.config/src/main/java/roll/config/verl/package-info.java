/** verl's and AgentFly's options read as ours. */
@NullMarked
package roll.config.verl;

import org.jspecify.annotations.NullMarked;
