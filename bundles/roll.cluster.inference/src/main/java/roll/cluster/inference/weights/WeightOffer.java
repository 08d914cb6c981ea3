package roll.cluster.inference.weights;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import roll.api.model.DecoderSpec;
import roll.cluster.inference.codec.DecoderSpecCodec;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;
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

  /** Writes all of it. */
  public static void write(ByteWriter out, WeightOffer offer) {
    out.text(offer.channel)
        .int64(offer.epoch)
        .int64(offer.number)
        .int32(offer.port)
        .of(offer.spec, DecoderSpecCodec::write)
        .int64(offer.version)
        .bool(offer.narrow)
        .list(
            offer.peers,
            (to, peer) ->
                to.text(peer.node())
                    .text(peer.at().getAddress().getHostAddress())
                    .int32(peer.at().getPort()));
  }

  /** As {@link #write} wrote it. */
  public static WeightOffer read(ByteReader in) {
    return new WeightOffer(
        in.text(),
        in.int64(),
        in.int64(),
        in.int32(),
        DecoderSpecCodec.spec(in),
        in.int64(),
        in.bool(),
        in.list(from -> peer(from.text(), from.text(), from.int32())));
  }

  /**
   * A node at a literal address.
   *
   * @throws MalformedMessageException if that is none
   */
  static TransferPeer peer(String node, String host, int port) {
    try {
      return new TransferPeer(node, new InetSocketAddress(InetAddress.ofLiteral(host), port));
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException("no address is " + host + ":" + port);
    }
  }
}
