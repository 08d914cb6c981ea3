/** Versions of large data, such as a model's weights, pulled in chunks from whoever has them. */
@Export
@NullMarked
@Version("1.0.0")
package roll.cluster.transfer;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
