/**
 * Messages as bytes. Every message begins with the version of its form; nothing that a message says
 * makes the reader allocate more than a small multiple of the message itself.
 */
@Export
@NullMarked
@Version("1.0.0")
package roll.cluster.services.codec;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
