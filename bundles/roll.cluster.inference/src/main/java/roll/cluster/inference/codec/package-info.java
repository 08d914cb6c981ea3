/** Batches and their pictures as parts of messages. */
@Export
@NullMarked
@Version("1.0.0")
package roll.cluster.inference.codec;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
