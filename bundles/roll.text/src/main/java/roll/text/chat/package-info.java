/** Conversations of data sets, in the usual forms. */
@Export
@NullMarked
@Version("1.0.0")
package roll.text.chat;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
