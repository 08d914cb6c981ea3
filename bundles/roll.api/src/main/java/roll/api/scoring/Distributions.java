package roll.api.scoring;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * What a session's model says of every word at every token, to be compared with what another model
 * says there. Valid until the session is updated or closed; nothing is copied, so it speaks for the
 * weights that are there when it is used. What is inside is the compute layer's business.
 */
@ConsumerType
public interface Distributions {}
