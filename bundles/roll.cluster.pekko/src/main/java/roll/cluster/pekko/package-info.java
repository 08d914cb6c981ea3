/** Membership and messages by Apache Pekko Cluster. */
@NullMarked
package roll.cluster.pekko;

import org.jspecify.annotations.NullMarked;
