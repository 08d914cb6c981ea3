@NullMarked
package roll.cluster.services;

import org.jspecify.annotations.NullMarked;
