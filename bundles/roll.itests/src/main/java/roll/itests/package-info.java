/** Tests inside a running framework, with the bundles of the distribution. */
@NullMarked
package roll.itests;

import org.jspecify.annotations.NullMarked;
