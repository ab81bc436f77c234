# A flock in Godot 4. Without a window it prints the frames that come:
#
#     godot --headless --script receive_flock.gd -- "http://127.0.0.1:8600/?token=..." 60
#
# In a scene of yours, use Receiver: call poll() in _process and read `positions` and `velocities`.
extends SceneTree

const WIRE := 1  # the version before the point that this script reads


class Receiver:
	var scene := {}  # the header: flocks, space, model, values
	var step := -1
	var dims := 3
	var positions := PackedVector3Array()  # in Godot's axes: y is up
	var velocities := PackedVector3Array()
	var reason := ""  # why the connection ended
	var _socket := WebSocketPeer.new()

	func open(address: String) -> void:
		_socket.inbound_buffer_size = 1 << 24
		var url := address.replace("http", "ws").replace("/?", "/ws?")
		_socket.connect_to_url("%s&wire=%d" % [url, WIRE])

	# Read what has come. Returns whether there is a new frame.
	func poll() -> bool:
		_socket.poll()
		var data := PackedByteArray()
		while _socket.get_available_packet_count() > 0:
			var packet := _socket.get_packet()
			if _socket.was_string_packet():
				_read(JSON.parse_string(packet.get_string_from_utf8()))
			else:
				data = packet
				_socket.send_text('{"type":"credit"}')  # for one more frame
		if _socket.get_ready_state() == WebSocketPeer.STATE_CLOSED and reason == "":
			reason = "the connection is closed"
		if not data.is_empty():
			_decode(data)
		return not data.is_empty()

	# Send a message, such as send("set", {"values": {"rules.cohesion.weight": 0.05}}).
	func send(type: String, fields := {}) -> void:
		fields["type"] = type
		_socket.send_text(JSON.stringify(fields))

	func _read(message: Dictionary) -> void:
		match message["type"]:
			"scene":
				scene = message
			"bye":
				reason = message["reason"]
			"reply":
				if not message["ok"]:
					push_warning(message["error"])

	func _decode(data: PackedByteArray) -> void:
		dims = data.decode_u16(6)
		step = int(data.decode_double(16))
		var count := data.decode_u32(12)
		var fastest := data.decode_float(56)
		positions.resize(count)
		velocities.resize(count)
		for i in count:
			var at := 96 + 12 * i
			var place := Vector3.ZERO
			var heading := Vector3.ZERO
			for k in dims:
				var level := (data.decode_u16(at + 2 * k) + 0.5) / 65536.0
				place[k] = data.decode_float(32 + 4 * k) + level * data.decode_float(44 + 4 * k)
				heading[k] = data.decode_s8(at + 8 + k)
			var speed := data.decode_u16(at + 6) / 65535.0 * fastest
			positions[i] = _turned(place)
			velocities[i] = _turned(heading.normalized() * speed)

	# z is up in murmurate, y in Godot; 2-D flocks keep x and y.
	func _turned(v: Vector3) -> Vector3:
		return Vector3(v.x, v.z, -v.y) if dims == 3 else v


var _receiver := Receiver.new()
var _frames := 0
var _wanted := 60


func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	if arguments.size() > 1:
		_wanted = int(arguments[1])
	_receiver.open(arguments[0])


func _process(_delta: float) -> bool:
	if _receiver.poll():
		_frames += 1
		print("step %d: %d boids, the first at %s" % [
			_receiver.step, _receiver.positions.size(), _receiver.positions[0]])
	if _receiver.reason != "":
		printerr(_receiver.reason)
	return _frames >= _wanted or _receiver.reason != ""  # true ends the program
