package roll.cluster.inference.weights;

import java.util.List;
import roll.api.model.DecoderSpec;
import roll.cluster.transfer.TransferPeer;

/**
 * What a node needs to know to pull weights.
 *
 * @param channel that they are a version of; {@link WeightChannel} says what its names are
 * @param epoch of the version
 * @param number of the version: this one or a newer one is to be pulled
 * @param port where the node that offers serves them
 * @param spec the model
 * @param version how many optimizer steps made them
 * @param narrow whether the numbers are bf16
 * @param peers other nodes that pull them too
 */
public record WeightOffer(
    String channel,
    long epoch,
    long number,
    int port,
    DecoderSpec spec,
    long version,
    boolean narrow,
    List<TransferPeer> peers) {
  /** Peers that nobody changes. */
  public WeightOffer {
    peers = List.copyOf(peers);
  }
}
