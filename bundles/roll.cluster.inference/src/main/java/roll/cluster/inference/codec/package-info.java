/**
 * Records as bytes. Every message begins with the version of its form; nothing that a message says
 * makes the reader allocate more than a small multiple of the message itself.
 */
@NullMarked
package roll.cluster.inference.codec;

import org.jspecify.annotations.NullMarked;
