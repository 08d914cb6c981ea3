/** Symja for bundles that use it from many threads: evaluations that end in time. */
@Export
@NullMarked
@Version("1.0.0")
package roll.cas;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
