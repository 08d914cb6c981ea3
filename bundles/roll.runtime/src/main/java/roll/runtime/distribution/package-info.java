/** Distributions assembled of the running one. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.distribution;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
