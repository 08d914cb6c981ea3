/** Distributions made of a running one. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.distribution;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
