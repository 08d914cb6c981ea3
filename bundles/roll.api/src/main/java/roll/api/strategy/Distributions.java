package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * What a session's model says of every word at every token, to be compared with what another model
 * says there. It stands for the model as it is when it is asked, as long as the session is open;
 * nothing is copied, and what is inside is the compute layer's business.
 */
@ConsumerType
public interface Distributions {}
