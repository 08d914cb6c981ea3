/** Certificates of the nodes of a run. */
@Export
@NullMarked
@Version("1.0.0")
package roll.cluster.identity;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
