/** A reward that grades each question as verl grades the data set it comes from. */
@NullMarked
package roll.reward.data_source;

import org.jspecify.annotations.NullMarked;
