/** Services of one node as services of another. */
@Export
@NullMarked
@Version("1.0.0")
package roll.cluster.services;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
